fn main() {
    let answer = 42;

    print(answer);
}
