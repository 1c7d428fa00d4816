use annals::log::{disk::*, order::*, read::*, segment::*};
use annals::world::World;
fn main() {
    let h = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    for _ in 0..1 {
        let t = std::time::Instant::now();
        let parts: Vec<_> = Segment::list(&RealDisk, &h).unwrap().into_iter().map(Part::whole).collect();
        let s = Scrubbed::default();
        let mut o = Ordered::new(&RealDisk, &h, &s);
        let w = std::cell::RefCell::new(World::default());
        o.each(
            parts,
            &mut || {
                *w.borrow_mut() = World::default();
            },
            &mut |p, _| {
                w.borrow_mut().apply(&p.envelope);
                Flow::More
            },
        )
        .unwrap();
        println!(
            "{:?} {} {}",
            t.elapsed(),
            w.borrow().rooms.session.totals.entries,
            w.borrow().rooms.session.totals.sessions
        );
    }
}
