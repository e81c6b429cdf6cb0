use varisat::{CnfFormula, ExtendFormula, Lit, Solver};

fn main() {
    let mut formula = CnfFormula::new();
    let (a, b, c): (Lit, Lit, Lit) = (Lit::from_dimacs(1), Lit::from_dimacs(2), Lit::from_dimacs(3));
    formula.add_clause(&[a, b]);
    formula.add_clause(&[!a, c]);
    formula.add_clause(&[!b, !c]);
    formula.add_clause(&[a]);
    let mut solver = Solver::new();
    solver.add_formula(&formula);
    println!("{:?}", solver.solve().unwrap());
    println!("{:?}", solver.model().map(|m| m.iter().map(|l| l.to_dimacs()).collect::<Vec<_>>()));
}
