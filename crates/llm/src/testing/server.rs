//! A server on the loopback that plays what it is told, one reply a request, the last one for ever.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What a request was.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Method and path.
    pub line: String,
    /// Headers, names in small letters.
    pub headers: String,
    /// The body.
    pub body: Value,
}

/// What is answered.
#[derive(Debug, Clone)]
pub struct Reply {
    head: String,
    pieces: Vec<Piece>,
}

/// A part of an answer.
#[derive(Debug, Clone)]
pub enum Piece {
    /// Bytes, sent at once.
    Bytes(Vec<u8>),
    /// The same bytes until nobody reads any more.
    Endless(Vec<u8>),
    /// Nothing, for ever.
    Hang,
}

/// The server. It goes when this does.
pub struct Server {
    /// Where it listens.
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    left: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Reply {
    /// A status and a body of a kind, whose length is said.
    pub fn of(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let head = format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n", body.len());
        Self { head, pieces: vec![Piece::Bytes(body)] }
    }

    /// JSON.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::of(status, "application/json", body.to_string())
    }

    /// Bytes in chunks, one a piece; a piece that never ends, or none at the end, leaves the answer open.
    pub fn stream(kind: &str, pieces: impl IntoIterator<Item = Piece>) -> Self {
        let chunk = |piece| match piece {
            Piece::Bytes(bytes) => Piece::Bytes(chunk(&bytes)),
            Piece::Endless(bytes) => Piece::Endless(chunk(&bytes)),
            Piece::Hang => Piece::Hang,
        };
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n");
        Self { head, pieces: pieces.into_iter().map(chunk).collect() }
    }

    /// Events, whole.
    pub fn events(data: &[&str]) -> Self {
        let events = data.iter().map(|data| Piece::Bytes(format!("data: {data}\n\n").into_bytes()));
        Self::stream("text/event-stream", events).ended()
    }

    /// With the chunk that ends a stream.
    pub fn ended(mut self) -> Self {
        self.pieces.push(Piece::Bytes(b"0\r\n\r\n".to_vec()));
        self
    }

    /// With a header.
    pub fn header(mut self, header: &str) -> Self {
        self.head.extend([header, "\r\n"]);
        self
    }
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

impl Server {
    /// Listens on a free port.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (seen, left) = (Arc::<Mutex<Vec<_>>>::default(), Arc::<AtomicUsize>::default());
        let task = tokio::spawn(serve(listener, replies.into_iter().collect(), seen.clone(), left.clone()));
        Self { url, seen, left, task }
    }

    /// What was asked so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The bodies that were sent so far.
    pub fn bodies(&self) -> Vec<Value> {
        self.seen().into_iter().map(|seen| seen.body).collect()
    }

    /// How many answers nobody wanted to the end. Waits for one.
    pub async fn left(&self) -> usize {
        while self.left.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        self.left.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, replies: Vec<Reply>, seen: Arc<Mutex<Vec<Seen>>>, left: Arc<AtomicUsize>) {
    for at in 0.. {
        let (stream, _) = listener.accept().await.unwrap();
        let reply = replies.get(at).or(replies.last()).cloned();
        tokio::spawn(answer(stream, reply, seen.clone(), left.clone()));
    }
}

async fn answer(
    mut stream: TcpStream,
    reply: Option<Reply>,
    seen: Arc<Mutex<Vec<Seen>>>,
    left: Arc<AtomicUsize>,
) -> Option<()> {
    let request = read(&mut stream).await?;
    seen.lock().unwrap().push(request);
    let reply = reply?;
    stream.write_all(format!("{}connection: close\r\n\r\n", reply.head).as_bytes()).await.ok()?;
    for piece in reply.pieces {
        if play(&mut stream, &piece).await.is_none() {
            left.fetch_add(1, Ordering::SeqCst);
            return None;
        }
    }
    Some(())
}

async fn play(stream: &mut TcpStream, piece: &Piece) -> Option<()> {
    match piece {
        Piece::Bytes(bytes) => stream.write_all(bytes).await.ok()?,
        Piece::Endless(bytes) => loop {
            stream.write_all(bytes).await.ok()?;
        },
        // Whoever waits sends nothing, so what can be read is the end of the connection.
        Piece::Hang => {
            let _ = stream.read(&mut [0]).await;
            return None;
        }
    }
    tokio::task::yield_now().await;
    Some(())
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes: Vec<u8> = Vec::new();
    let head = loop {
        if bytes.first().is_some_and(|byte| !byte.is_ascii_uppercase()) {
            return None;
        }
        if let Some(at) = bytes.windows(4).position(|end| end == b"\r\n\r\n") {
            break String::from_utf8_lossy(&bytes[..at]).into_owned();
        }
        more(stream, &mut bytes).await?;
    };
    let (line, headers) = head.split_once("\r\n").unwrap_or((&head, ""));
    let headers = headers.to_ascii_lowercase();
    let length = headers.lines().find_map(|header| header.strip_prefix("content-length: "));
    let whole = head.len() + 4 + length.map_or(0, |length| length.parse::<usize>().unwrap());
    while bytes.len() < whole {
        more(stream, &mut bytes).await?;
    }
    let body = serde_json::from_slice(&bytes[head.len() + 4..]).unwrap_or_default();
    Some(Seen { line: line.trim_end_matches(" HTTP/1.1").to_owned(), headers, body })
}

async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 4096];
    let count = stream.read(&mut piece).await.ok().filter(|count| *count > 0)?;
    bytes.extend_from_slice(&piece[..count]);
    Some(())
}
