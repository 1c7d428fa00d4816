fn main() {
    print(43);
}
