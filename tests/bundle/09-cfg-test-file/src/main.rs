use b09::sum;

fn main() {
    println!("{}", sum(&[1, 2, 3]));
}

#[cfg(test)]
mod tests;
