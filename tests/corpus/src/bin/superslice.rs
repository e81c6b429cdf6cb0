use superslice::Ext;

fn main() {
    let list = [1, 2, 2, 4, 8];
    println!("{} {} {:?}", list.lower_bound(&2), list.upper_bound(&2), list.equal_range(&3));
}
