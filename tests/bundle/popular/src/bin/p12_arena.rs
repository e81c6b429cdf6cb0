use bumpalo::Bump;

struct Node<'a> {
    parent: Option<&'a Node<'a>>,
    play: &'a str,
}

fn line<'a>(node: &Node<'a>) -> Vec<&'a str> {
    let mut line = node.parent.map_or(Vec::new(), |parent| line(parent));
    line.push(node.play);
    line
}

fn main() {
    let arena = Bump::new();
    let mut node = &*arena.alloc(Node { parent: None, play: "start" });
    for turn in 0..3 {
        let play = arena.alloc_str(&format!("move {turn}"));
        node = arena.alloc(Node { parent: Some(node), play });
    }
    println!("{:?} {:?}", line(node), arena.alloc_slice_fill_iter((0..4).map(|x| x * x)));
}
