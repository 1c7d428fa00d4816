//! Nothing that counts is lost, whatever happens: cut writes, power cuts, kills, full and broken disks, many writers.

/// A walk over every step, spread over tests of their own: none takes long, and all cores take part.
macro_rules! spread {
    ($($name:ident: $walk:ident;)*) => { $(
        mod $name {
            #[test]
            fn at_the_first_of_four_steps() {
                super::$walk(0);
            }
            #[test]
            fn at_the_second_of_four_steps() {
                super::$walk(1);
            }
            #[test]
            fn at_the_third_of_four_steps() {
                super::$walk(2);
            }
            #[test]
            fn at_the_fourth_of_four_steps() {
                super::$walk(3);
            }
        }
    )* };
}

/// Over how many tests `spread` spreads; a walk takes its own step and every so many behind it.
const PARTS: usize = 4;

mod bytes;
mod disk;
mod kill;
mod platter;
mod power;
mod project;
mod refusal;
mod scrub;
mod swarm;
