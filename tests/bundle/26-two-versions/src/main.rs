fn main() {
    let mut new = arrayvec::ArrayVec::<i32, 4>::new();
    new.push(3);
    println!("{} {}", new.len(), old_user::old());
}
