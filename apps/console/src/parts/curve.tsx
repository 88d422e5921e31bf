// A curve over time by uPlot, which is loaded when the first curve is shown. Its colours are those of the theme.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { sessionsTexts } from '../texts/sessions';
import './curve.css';
import { clockOf } from './format';

export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly format: (value: number) => string;
  /** A custom property of the design, such as `--busy`. */
  readonly color: string;
}

interface CurveProps {
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  /** The first one has its scale at the left, the second at the right. */
  readonly series: readonly Series[];
  readonly label: string;
}

const HEIGHT = 240;
/** Left and right. uPlot's enum of them is ambient and const: file by file, a bundler has no value of it. */
const SIDES = { left: 3, right: 1 } as unknown as Record<'left' | 'right', uPlot.Axis.Side>;
const FONT = '12px ui-sans-serif, system-ui, sans-serif';

export function Curve({ times, series, label }: CurveProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const labels = series.map((each) => each.label).join();
  const latest = useRef({ times, series });
  useEffect(() => {
    latest.current = { times, series };
    plot.current?.setData(dataOf(times, series));
  }, [times, series]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const draw = () => {
      plot.current?.destroy();
      const width = element.clientWidth;
      plot.current = new uPlot(
        optionsOf(element, latest.current.series, width),
        dataOf(latest.current.times, latest.current.series),
        element,
      );
    };
    draw();
    const resized = new ResizeObserver(() => {
      // It begins with the size there is, and each call draws all of it.
      const width = element.clientWidth;
      if (width !== plot.current?.width) plot.current?.setSize({ width, height: HEIGHT });
    });
    resized.observe(element);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', draw);
    const switched = new MutationObserver(draw);
    switched.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      switched.disconnect();
      theme.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [labels]);
  return <div className="curve" ref={place} role="img" aria-label={label} />;
}

function dataOf(times: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])];
}

function optionsOf(element: HTMLElement, series: readonly Series[], width: number): uPlot.Options {
  const style = getComputedStyle(element);
  // Custom properties with light-dark() are resolved only where they are used.
  const colorOf = (name: string) => {
    element.style.setProperty('outline-color', `var(${name})`);
    const color = style.outlineColor;
    element.style.removeProperty('outline-color');
    return color;
  };
  const axis = {
    stroke: colorOf('--ink-3'),
    font: FONT,
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    cursor: { y: false },
    scales: Object.fromEntries(series.map((_, n) => [scaleOf(n), { range: fromZero }])),
    axes: [
      { ...axis, values: (_: uPlot, splits: number[]) => splits.map((at) => timeOf(at, splits)) },
      ...series.map(({ format }, n) => ({
        ...axis,
        scale: scaleOf(n),
        side: n === 0 ? SIDES.left : SIDES.right,
        size: 68,
        values: (_: uPlot, splits: number[]) => splits.map(format),
        grid: n === 0 ? axis.grid : { show: false },
      })),
    ],
    series: [
      {
        label: sessionsTexts.time,
        value: (_: uPlot, at: number | null) =>
          at === null ? '–' : clockOf(new Date(at * 1_000).toISOString()).slice(0, 8),
      },
      ...series.map(({ label, color, format }, n) => ({
        label,
        scale: scaleOf(n),
        stroke: colorOf(color),
        width: 2,
        spanGaps: true,
        points: { show: false },
        value: (_: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  };
}

/** In 24 hours, with seconds where marks are nearer than a minute. */
function timeOf(at: number, [first = 0, second = 60]: readonly number[]): string {
  const clock = clockOf(new Date(at * 1_000).toISOString());
  return second - first < 60 ? clock.slice(0, 8) : clock.slice(0, 5);
}

function scaleOf(n: number): string {
  return `y${String(n)}`;
}

function fromZero(_: uPlot, min: number | null, max: number | null): [number, number] {
  const low = Math.min(0, min ?? 0);
  const high = Math.max(max ?? 0, low + 1);
  return [low, high + (high - low) * 0.08];
}
