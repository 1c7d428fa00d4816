//! A server on the loopback with `/v1/embeddings`, which answers as it is told and remembers what it was sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// What makes an answer of a question: a status and a body.
pub type Answering = dyn Fn(&Value) -> (u16, String) + Send + Sync;

/// A server that lives as long as the test.
pub struct Server {
    /// Where it is.
    pub url: String,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    pub fn start(answering: Box<Answering>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let server = Self { url, seen: Arc::clone(&seen) };
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Some(asked) = stream.as_ref().ok().and_then(read) else { continue };
                let (status, body) = answering(&asked);
                seen.lock().expect("kept").push(asked);
                let head =
                    format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                let _ = stream.map(|mut stream| stream.write_all((head + &body).as_bytes()));
            }
        });
        server
    }

    /// What it was sent.
    pub fn seen(&self) -> Vec<Value> {
        self.seen.lock().expect("kept").clone()
    }
}

fn read(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        length = line.strip_prefix("content-length:").map_or(length, |text| text.trim().parse().unwrap_or(0));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
