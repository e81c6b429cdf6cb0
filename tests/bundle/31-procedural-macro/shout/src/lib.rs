use proc_macro::TokenStream;

#[proc_macro]
pub fn shout(input: TokenStream) -> TokenStream {
    format!("{:?}", input.to_string().to_uppercase()).parse().unwrap()
}
