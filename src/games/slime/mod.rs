//! slime: rules, evaluation and the bot's side of the protocol.
