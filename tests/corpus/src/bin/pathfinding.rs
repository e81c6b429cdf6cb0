use pathfinding::prelude::{astar, dijkstra, kuhn_munkres, Matrix};

fn main() {
    let goal = (5i32, 7i32);
    let next = |&(x, y): &(i32, i32)| {
        [(x + 1, y), (x, y + 1), (x + 2, y + 1)].into_iter().filter(|p| p.0 <= 9 && p.1 <= 9).map(|p| (p, 1u32)).collect::<Vec<_>>()
    };
    let a = dijkstra(&(0, 0), next, |p| *p == goal).map(|r| r.1);
    let b = astar(&(0, 0), next, |p| ((goal.0 - p.0).max(0) / 2) as u32, |p| *p == goal).map(|r| r.1);
    let weights = Matrix::from_rows(vec![vec![1, 5, 3], vec![4, 2, 6], vec![7, 8, 1]]).unwrap();
    println!("{a:?} {b:?} {:?}", kuhn_munkres(&weights).0);
}
