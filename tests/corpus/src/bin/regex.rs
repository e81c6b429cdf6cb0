use regex::Regex;

fn main() {
    let re = Regex::new(r"(?P<key>[a-z]+)=(\d+)").unwrap();
    for c in re.captures_iter("x=12, yy=345 z=") {
        println!("{} {}", &c["key"], &c[2]);
    }
    println!("{}", re.replace_all("a=1 b=2", "$2:$key"));
}
