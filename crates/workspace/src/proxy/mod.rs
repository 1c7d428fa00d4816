//! The one way out of a cell: a proxy of ours, which passes the hosts that a task or its executor was given (decision 63).
//!
//! It runs outside of the walls and listens on a socket that is shown within; there `forward` makes a port of it, for programs
//! know proxies by ports. A host that is not allowed is never resolved, and an address that is not public is never connected
//! to, unless it was named itself. Looks into no connection: what goes through a tunnel is the programs' own.

mod forward;
mod head;
mod hosts;
mod serve;
mod splice;
#[cfg(test)]
mod tests;

pub use self::forward::{Forwarder, listener_at};
pub use self::hosts::{AllowedHost, AllowedHosts, BadHost};
pub use self::serve::{Proxy, Resolve, resolve};
