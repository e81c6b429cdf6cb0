use indexing::scope;

fn main() {
    let mut data = [5, 3, 8, 1];
    let sum = scope(&mut data[..], |mut v| {
        let range = v.range();
        let mut sum = 0;
        for i in range {
            v[i] += 1;
            sum += v[i];
        }
        sum
    });
    println!("{sum} {data:?}");
}
