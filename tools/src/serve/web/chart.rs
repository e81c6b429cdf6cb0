//! Charts as SVG text, made on the server; colours are classes, so that a page may be light or dark.

use crate::show::page::escape;
use maud::{Markup, html};
use plotters::prelude::*;

/// Width and height in SVG units.
const SIZE: (u32, u32) = (600, 220);
/// Colours of lines and bars, in turn.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0xd1, 0x49, 0x5b),
    RGBColor(0x2e, 0x86, 0xab),
    RGBColor(0x5b, 0x8e, 0x3a),
    RGBColor(0xc9, 0x8a, 0x12),
    RGBColor(0x8e, 0x5a, 0xb5),
    RGBColor(0x2f, 0x9e, 0x8f),
    RGBColor(0xb5, 0x65, 0x3a),
    RGBColor(0x7a, 0x86, 0x99),
];
/// Axes and words: readable on white and on black.
const GREY: RGBColor = RGBColor(0x80, 0x84, 0x8c);

/// One line of a chart, with a band around it where it has one.
pub struct Line {
    /// What the legend says.
    pub name: String,
    /// Points in order: x, y, lower and upper end of the band.
    pub points: Vec<(f64, f64, f64, f64)>,
}

/// What the lines of a chart are, beside it: a chart is too small for long names.
pub fn legend(lines: &[Line]) -> Markup {
    let colour = |n: usize| {
        let RGBColor(r, g, b) = COLOURS[n % COLOURS.len()];
        format!("background:rgb({r} {g} {b})")
    };
    html! {
        @if lines.len() > 1 {
            ul.legend { @for (n, line) in lines.iter().enumerate() { li { i style=(colour(n)) {} (line.name) } } }
        }
    }
}

/// A number as short as it can be read.
fn short(x: f64) -> String {
    match x.abs() {
        a if a >= 10_000.0 => format!("{:.0}k", x / 1000.0),
        a if a >= 100.0 || (x - x.round()).abs() < 1e-9 => format!("{x:.0}"),
        a if a >= 1.0 => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}

/// The least range that holds all values, a little wider; not empty.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values
        .filter(|v| v.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
            (a.min(v), b.max(v))
        });
    if low > high {
        return None;
    }
    let room = if high > low { (high - low) * 0.05 } else { 0.5 };
    Some((low - room, high + room))
}

/// The SVG without what only a file of its own needs, named for those who do not see it.
fn finish(svg: &str, label: &str) -> String {
    let at = svg.find("<svg").unwrap_or_default();
    let label = escape(label);
    svg[at..]
        .replacen(
            "<svg width=\"600\" height=\"220\"",
            &format!("<svg role=\"img\" aria-label=\"{label}\""),
            1,
        )
        .replace('\n', "")
}

/// Lines with bands; `marks` are horizontal lines that mean something (bounds, one half). None where there is nothing to
/// draw.
pub fn lines(label: &str, lines: &[Line], marks: &[f64]) -> Option<String> {
    let all = || lines.iter().flat_map(|l| &l.points);
    let (left, right) = range(all().map(|p| p.0))?;
    let ys = all().flat_map(|p| [p.1, p.2, p.3]).chain(marks.iter().copied());
    let (low, high) = range(ys)?;
    let mut svg = String::new();
    draw_lines(&mut svg, lines, marks, (left, right), (low, high)).ok()?;
    Some(finish(&svg, label))
}

fn words() -> TextStyle<'static> {
    ("sans-serif", 13).into_font().color(&GREY)
}

fn draw_lines(
    svg: &mut String,
    lines: &[Line],
    marks: &[f64],
    (left, right): (f64, f64),
    (low, high): (f64, f64),
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let mut chart = ChartBuilder::on(&root)
        .margin(6)
        .x_label_area_size(24)
        .y_label_area_size(52)
        .build_cartesian_2d(left..right, low..high)?;
    chart
        .configure_mesh()
        .axis_style(GREY)
        .bold_line_style(GREY.mix(0.25))
        .light_line_style(TRANSPARENT)
        .label_style(words())
        .x_label_formatter(&|&x| short(x))
        .y_label_formatter(&|&y| short(y))
        .x_labels(6)
        .y_labels(5)
        .draw()?;
    for &mark in marks {
        let ends = [(left, mark), (right, mark)];
        chart.draw_series(LineSeries::new(ends, GREY.stroke_width(2)))?;
    }
    for (n, line) in lines.iter().enumerate() {
        let colour = COLOURS[n % COLOURS.len()];
        let banded = line.points.iter().any(|p| p.2 < p.3);
        if banded {
            let up = line.points.iter().map(|p| (p.0, p.3));
            let down = line.points.iter().rev().map(|p| (p.0, p.2));
            let band: Vec<(f64, f64)> = up.chain(down).collect();
            chart.draw_series([Polygon::new(band, colour.mix(0.18))])?;
        }
        let points = line.points.iter().map(|p| (p.0, p.1));
        chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
    }
    root.present()?;
    Ok(())
}

/// How often a value fell into each of `bins` equal parts of 0 to the largest; `limit` is marked.
pub fn histogram(label: &str, values: &[f32], limit: f64, colour: usize) -> Option<String> {
    const BINS: usize = 50;
    let most = values.iter().copied().fold(0.0f32, f32::max);
    if values.is_empty() || most <= 0.0 {
        return None;
    }
    // The limit is in the picture where the answers come near it.
    let right = if f64::from(most) > limit * 0.3 {
        f64::from(most).max(limit * 1.05)
    } else {
        f64::from(most)
    };
    let mut bins = [0u32; BINS];
    for &v in values {
        bins[((f64::from(v) / right * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let mut svg = String::new();
    draw_bins(&mut svg, &bins, right, limit, COLOURS[colour % COLOURS.len()]).ok()?;
    Some(finish(&svg, label))
}

/// Bars on a scale of powers of ten: a single late answer among thousands must be seen.
fn draw_bins(
    svg: &mut String,
    bins: &[u32],
    right: f64,
    limit: f64,
    colour: RGBColor,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let top = f64::from(bins.iter().copied().max().unwrap_or(1)) * 1.3;
    let mut chart = ChartBuilder::on(&root)
        .margin(6)
        .x_label_area_size(24)
        .y_label_area_size(52)
        .build_cartesian_2d(0.0..right, (0.7..top).log_scale())?;
    chart
        .configure_mesh()
        .axis_style(GREY)
        .bold_line_style(GREY.mix(0.25))
        .light_line_style(TRANSPARENT)
        .label_style(words())
        .x_label_formatter(&|&x| format!("{} ms", short(x)))
        .y_label_formatter(&|&y| short(y))
        .x_labels(6)
        .y_labels(4)
        .draw()?;
    let width = right / bins.len() as f64;
    chart.draw_series(bins.iter().enumerate().filter(|(_, n)| **n > 0).map(|(i, n)| {
        let x = i as f64 * width;
        Rectangle::new([(x, 0.7), (x + width * 0.9, f64::from(*n))], colour.filled())
    }))?;
    if limit <= right {
        let ends = [(limit, 0.7), (limit, top)];
        chart.draw_series(LineSeries::new(ends, RED.stroke_width(2)))?;
    }
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Line, histogram, legend, lines};

    #[test]
    fn charts_are_self_contained_pictures_with_a_name() {
        let line = |name: &str| Line {
            name: name.into(),
            points: (0..50).map(|n| (f64::from(n), 0.5, 0.4, 0.6)).collect(),
        };
        let svg = lines("a <b>", &[line("x<y"), line("z")], &[0.5]).unwrap();
        assert!(
            svg.starts_with("<svg role=\"img\" aria-label=\"a &lt;b&gt;\""),
            "{}",
            &svg[..120]
        );
        assert!(svg.contains("polyline") && svg.contains("polygon"), "{svg}");
        assert!(legend(&[line("x<y"), line("z")]).into_string().contains("x&lt;y"));
        assert!(lines("none", &[], &[]).is_none());
        let bars = histogram("ms", &[1.0, 2.0, 51.0], 50.0, 0).unwrap();
        assert!(bars.matches("<rect").count() >= 3, "{bars}");
        assert!(histogram("ms", &[], 50.0, 0).is_none());
    }
}
