use slab::Slab;

struct Node {
    next: Option<usize>,
    value: u32,
}

fn main() {
    let mut nodes = Slab::with_capacity(4);
    let mut head = None;
    for value in 0..6 {
        head = Some(nodes.insert(Node { next: head, value }));
    }
    let gone = nodes.remove(3);
    nodes[4].next = gone.next;
    let again = nodes.insert(Node { next: head, value: 60 + gone.value });
    let mut at = Some(again);
    while let Some(node) = at.and_then(|key| nodes.get(key)) {
        print!("{} ", node.value);
        at = node.next;
    }
    println!("{again} {}", nodes.len());
}
