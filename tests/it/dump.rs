//! temp
use std::io::BufReader;
use annals::import::{Draft, ImportError, PassedOver, Sink};
struct S;
impl Sink for S {
    fn entry(&mut self, d: Draft) -> Result<(), ImportError> {
        println!("E\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:?}", d.source.line.unwrap_or(0), d.operation.kind, d.operation.name, d.operation.success, d.source.session, d.source.record,
            d.operation.input.text().chars().take(160).collect::<String>(), d.operation.error);
        Ok(())
    }
    fn passed_over(&mut self, r: PassedOver, l: u64) { println!("P\t{l}\t{r:?}"); }
}
#[test]
fn dump() {
    let Some(p) = std::env::var_os("DUMP") else { return };
    let p = std::path::PathBuf::from(p);
    let name = p.file_name().unwrap().to_string_lossy().into_owned();
    let bytes = std::fs::read(&p).unwrap();
    let kind = annals::import::sniff::sniff(&bytes, &name).unwrap();
    kind.import(&name, &mut BufReader::new(&bytes[..]), &mut S).unwrap();
}
