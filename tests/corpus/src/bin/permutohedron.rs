use permutohedron::{heap_recursive, Heap, LexicalPermutation};

fn main() {
    let mut data = [1, 2, 3];
    let all: Vec<_> = Heap::new(&mut data).collect();
    let mut count = 0;
    heap_recursive(&mut [1, 2, 3, 4], |_| count += 1);
    let mut next = [1, 3, 2];
    next.next_permutation();
    println!("{all:?} {count} {next:?}");
}
