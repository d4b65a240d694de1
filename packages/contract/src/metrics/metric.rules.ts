/** Metrics as Prometheus reads them (text format 0.0.4), for API and agent. Pure. */

export const METRICS_PATH = '/metrics'
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  /** Behind the name of the metric: '_bucket' of a histogram; '' of most. */
  suffix?: '_bucket' | '_sum' | '_count'
  labels?: Labels
  value: number
}

export interface Metric {
  /** Ends with its unit, a counter with '_total'. */
  name: string
  /** A sentence. */
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  samples: readonly Sample[]
}

export function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples }
}

export function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'counter', samples }
}

/** Of a metric without labels. */
export function only(value: number): readonly Sample[] {
  return [{ value }]
}

/** A metric without samples is left out. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels = {}, value }) =>
          `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`,
      )
      return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', String.raw`\"`)}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`)
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return Number.isFinite(value) ? String(value) : 'NaN'
}

/** How often values fell between bounds, since the process started. */
export class Histogram {
  /** Rising; the last bucket is everything above. */
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at += 1
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  samples(labels: Labels): Sample[] {
    let count = 0
    const buckets = this.#counts.map((own, at): Sample => {
      count += own
      const le = at < this.#bounds.length ? String(this.#bounds[at]) : '+Inf'
      return { suffix: '_bucket', labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: count },
    ]
  }
}

/** Of a process of Node. Times in seconds, sizes in bytes. */
export interface ProcessFigures {
  cpuSeconds: number
  residentBytes: number
  heapUsedBytes: number
  startedAtS: number
  /** Delay of the event loop since the last scrape. */
  loopDelayP50S: number
  loopDelayP99S: number
  loopDelayMaxS: number
}

/** `version`: of the product. */
export function processMetrics(figures: ProcessFigures, version: string): Metric[] {
  const delay = 'Delay of the event loop since the last scrape.'
  return [
    gauge('trunkline_build_info', 'Version of this process.', [{ labels: { version }, value: 1 }]),
    counter('process_cpu_seconds_total', 'Time on a core.', only(figures.cpuSeconds)),
    gauge('process_resident_memory_bytes', 'Resident memory.', only(figures.residentBytes)),
    gauge('process_start_time_seconds', 'Start, Unix time.', only(figures.startedAtS)),
    gauge('nodejs_heap_used_bytes', 'Used heap of Node.', only(figures.heapUsedBytes)),
    gauge('nodejs_eventloop_delay_seconds', delay, [
      { labels: { stat: 'p50' }, value: figures.loopDelayP50S },
      { labels: { stat: 'p99' }, value: figures.loopDelayP99S },
      { labels: { stat: 'max' }, value: figures.loopDelayMaxS },
    ]),
  ]
}
