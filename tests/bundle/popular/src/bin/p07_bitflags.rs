use bitflags::bitflags;

bitflags! {
    /// Walls of a cell.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Walls: u8 {
        /// Up.
        const NORTH = 1;
        const EAST = 1 << 1;
        const SOUTH = 1 << 2;
        const WEST = 1 << 3;
        const SIDES = Self::EAST.bits() | Self::WEST.bits();
    }
}

fn main() {
    let mut walls = Walls::NORTH | Walls::SIDES;
    walls.toggle(Walls::EAST);
    println!("{walls:?} {} {:?} {:?}", walls.contains(Walls::WEST), !walls, Walls::from_bits(16));
    println!("{:?} {}", walls.iter_names().map(|(name, _)| name).collect::<Vec<_>>(), (walls - Walls::NORTH).bits());
}
