use bstr::{ByteSlice, B};

fn main() {
    let text = B("grüße, ~ wörld");
    println!("{:?} {} {:?}", text.find("wörld"), text.to_str_lossy(), text.fields().map(|f| f.len()).collect::<Vec<_>>());
    println!("{}", b"ab-cd".replace("-", "+").as_bstr());
}
