use petgraph::algo::{dijkstra, is_cyclic_directed, kosaraju_scc, toposort};
use petgraph::graph::{DiGraph, UnGraph};
use petgraph::unionfind::UnionFind;

fn main() {
    let mut g = DiGraph::<&str, u32>::new();
    let n: Vec<_> = ["a", "b", "c", "d"].iter().map(|s| g.add_node(s)).collect();
    g.extend_with_edges([(n[0], n[1], 4), (n[0], n[2], 1), (n[2], n[1], 2), (n[1], n[3], 5)]);
    let mut far: Vec<_> = dijkstra(&g, n[0], None, |e| *e.weight()).into_iter().collect();
    far.sort();
    println!("{far:?} {} {:?} {}", is_cyclic_directed(&g), toposort(&g, None).unwrap(), kosaraju_scc(&g).len());
    let u = UnGraph::<i32, ()>::from_edges([(0, 1), (1, 2)]);
    let mut sets = UnionFind::<usize>::new(3);
    sets.union(0, 2);
    println!("{} {}", u.edge_count(), sets.equiv(0, 2));
}
