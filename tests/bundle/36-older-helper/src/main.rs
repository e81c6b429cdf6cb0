use older_kit::scan::{Input, Scanner};
use older_kit::{ensure, ensure as is_it};
use std::io::BufRead;

fn failed() -> Option<&'static str> {
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(|| older_kit::fail!("{line}"));
    for which in 0..6 {
        let held = std::panic::catch_unwind(|| older_kit::never(which, "name".to_owned())).unwrap_err();
        println!("{:?} {:?}", held.downcast_ref::<&str>(), held.downcast_ref::<String>());
    }
    let _ = std::panic::take_hook();
    caught.unwrap_err().downcast_ref::<&str>().copied()
}

fn main() {
    println!("{:?}", failed());
    let mut scanner = Scanner { at: 3 };
    let list = scanner.list(4);
    let sum: u32 = list.iter().sum();
    println!("{list:?} {} {}", ensure!(sum > 3), is_it!(sum == 3));
    println!("{}", older_kit::twice(&|x| x + sum, Box::new(|x| x * 2)));
    println!("{}", older_kit::scan::backwards(&["b", "a"]));
    println!("{}", older_num::doubled!(sum));
    let small: Result<u8, _> = u8::try_from(sum);
    println!("{small:?}");
    let inputs: [Input<&[u8], &[u8]>; 2] = [Input::One(b"one line\n"), Input::Other(b"another")];
    for mut input in inputs {
        let mut line = String::new();
        input.read_line(&mut line).unwrap();
        println!("{line:?}");
    }
}
