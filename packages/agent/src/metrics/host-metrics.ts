/** The metrics of this host: its load and disk, and its own programs, of which it has some dozens. */
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  counter,
  gauge,
  metricsText,
  only,
  processMetrics,
  type Metric,
  type ProcessFigures,
  type Sample,
} from '@trunkline/contract/metrics/metric.rules'
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import { ProgramState } from '@trunkline/contract/program-state'
import type { Context } from '../context.ts'
import type { Program } from '../programs/program.ts'

const RESOLUTION_MS = 20
const US_PER_S = 1e6
const NS_PER_S = 1e9
const BITS_PER_KBIT = 1000

export class HostMetrics implements Disposable {
  readonly #ctx: Context
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

  constructor(ctx: Context) {
    this.#ctx = ctx
    this.#delay.enable()
  }

  text(): string {
    const programs = this.#ctx.board.all()
    return metricsText([
      ...processMetrics(this.#figures(), PRODUCT_VERSION),
      ...this.#host(),
      byState(programs),
      ...ofPrograms(programs),
    ])
  }

  [Symbol.dispose](): void {
    this.#delay.disable()
  }

  #figures(): ProcessFigures {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const figures = {
      cpuSeconds: (user + system) / US_PER_S,
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      startedAtS: Math.floor(performance.timeOrigin / 1000),
      loopDelayP50S: this.#delay.percentile(50) / NS_PER_S,
      loopDelayP99S: this.#delay.percentile(99) / NS_PER_S,
      loopDelayMaxS: this.#delay.count === 0 ? 0 : this.#delay.max / NS_PER_S,
    }
    this.#delay.reset()
    return figures
  }

  #host(): Metric[] {
    const { disk, supervisorSilent = false } = this.#ctx.health.now
    const [load = 0] = loadavg()
    return [
      gauge('trunkline_host_load1', 'Load average of a minute.', only(load)),
      gauge('trunkline_host_cpus', 'Cores.', only(availableParallelism())),
      gauge('trunkline_host_memory_free_bytes', 'Free memory.', only(freemem())),
      gauge('trunkline_host_memory_bytes', 'Memory.', only(totalmem())),
      gauge('trunkline_host_disk_free_bytes', 'Free space for data.', only(disk.freeBytes)),
      gauge('trunkline_host_disk_bytes', 'Disk of the data folder.', only(disk.totalBytes)),
      gauge(
        'trunkline_host_supervisor_up',
        '1 while supervisord answers.',
        only(supervisorSilent ? 0 : 1),
      ),
    ]
  }
}

function byState(programs: readonly Program[]): Metric {
  const samples = ProgramState.options.map((state) => ({
    labels: { state },
    value: programs.filter((program) => program.state === state).length,
  }))
  return gauge('trunkline_host_programs', 'Programs by state.', samples)
}

function ofPrograms(programs: readonly Program[]): Metric[] {
  const samples = (valueOf: (program: Program) => number | null): Sample[] =>
    programs.flatMap((program) => {
      const value = valueOf(program)
      return value === null ? [] : [{ labels: labelsOf(program), value }]
    })
  const link = (program: Program) => (program.reading?.kind === 'link' ? program.reading : null)
  return [
    gauge(
      'trunkline_program_running',
      '1 while it runs.',
      samples(({ state }) => (state === 'running' ? 1 : 0)),
    ),
    counter(
      'trunkline_program_restarts_total',
      'Unexpected restarts.',
      samples(({ restarts }) => restarts),
    ),
    gauge(
      'trunkline_program_bitrate_bits_per_second',
      'Of the last ten seconds.',
      samples(({ reading }) => (reading === null ? null : reading.bitrateKbps * BITS_PER_KBIT)),
    ),
    gauge(
      'trunkline_program_rtt_seconds',
      'Round trip time of a link.',
      samples((program) => {
        const rttMs = link(program)?.rttMs ?? null
        return rttMs === null ? null : rttMs / 1000
      }),
    ),
    counter(
      'trunkline_program_dropped_packets_total',
      'Packets that a link did not recover.',
      samples((program) => link(program)?.droppedPackets ?? null),
    ),
    counter(
      'trunkline_program_retransmitted_packets_total',
      'Packets that a link sent again.',
      samples((program) => link(program)?.retransmittedPackets ?? null),
    ),
  ]
}

/** By its id, which stays when it is renamed. */
function labelsOf({ id, spec }: Program) {
  return { program: id, kind: spec?.kind ?? 'stream' }
}
