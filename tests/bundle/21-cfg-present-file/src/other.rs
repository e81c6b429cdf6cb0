compile_error!("not for this machine");
