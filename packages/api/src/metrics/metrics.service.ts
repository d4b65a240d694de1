/**
 * The metrics of this API for Prometheus: numbers that are kept in memory anyway, of kinds and states
 * and never of single objects. A scrape asks no database (ADR 0059).
 */
import { SEVERITIES } from '@trunkline/contract/alarms/open-alarms.schema'
import { PROGRAM_KINDS } from '@trunkline/contract/fleet/fleet.schema'
import { FAMILIES } from '@trunkline/contract/fleet/state-view.rules'
import {
  counter,
  gauge,
  metricsText,
  only,
  processMetrics,
  type Metric,
} from '@trunkline/contract/metrics/metric.rules'
import { PRODUCT_VERSION } from '@trunkline/contract/product'
import type { Context } from '../context.ts'
import { viewerCount } from '../fleet/live/live-hub.ts'
import { addressText } from '../hosts/host-address.ts'
import { transportTotals } from '../links/transport/transport-totals.ts'
import { outcomesOf } from '../outcome-counts.ts'
import type { Actor } from '../security/actor.ts'
import { LinkTotals } from './link-totals.ts'
import { ProcessWatch } from './process-figures.ts'
import type { RequestTimes } from './request-times.ts'

const WHOLE_SITE: Actor = {
  id: '',
  email: '',
  fullName: '',
  role: 'superadmin',
  groupIds: [],
  sessionId: '',
  ip: '',
}

export class ApiMetrics implements Disposable {
  readonly #ctx: Context
  readonly #requests: RequestTimes
  readonly #watch = new ProcessWatch()
  /** From the first scrape on: who is not scraped pays nothing. */
  #links: LinkTotals | null = null

  constructor(ctx: Context, requests: RequestTimes) {
    this.#ctx = ctx
    this.#requests = requests
  }

  text(): string {
    this.#links ??= new LinkTotals(this.#ctx)
    return metricsText([
      ...processMetrics(this.#watch.read(), PRODUCT_VERSION),
      ...siteMetrics(this.#ctx),
      ...this.#links.metrics(),
      ...this.#requests.metrics(),
    ])
  }

  [Symbol.dispose](): void {
    this.#links?.[Symbol.dispose]()
    this.#watch[Symbol.dispose]()
  }
}

function siteMetrics(ctx: Context): Metric[] {
  const { continuityErrors, lookedMs } = transportTotals(ctx.hosts)
  const looked = 'For so long transport streams were looked at, of all links together.'
  return [
    objects(ctx),
    hosts(ctx),
    alarms(ctx),
    gauge('trunkline_on_air_objects', 'Objects on air.', only(ctx.onAir.onAir().size)),
    gauge('trunkline_live_viewers', 'Open live streams of this process.', only(viewerCount(ctx))),
    counter('trunkline_cc_errors_total', 'Continuity counter errors.', only(continuityErrors)),
    counter('trunkline_transport_looked_seconds_total', looked, only(lookedMs / 1000)),
    ...outcomes(ctx),
  ]
}

function outcomes(ctx: Context): Metric[] {
  const { backups, scheduleRuns, secrets, agentPortRefusals } = outcomesOf(ctx)
  const byResult = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([result, value]) => ({ labels: { result }, value }))
  const tried = 'Passwords and codes that were tried at sign-in and by hosts that enrol.'
  return [
    counter('trunkline_backups_total', 'Backups by how they ended.', byResult(backups)),
    counter('trunkline_schedule_runs_total', 'Schedules that were due.', byResult(scheduleRuns)),
    counter('trunkline_secrets_tried_total', tried, only(secrets.tried)),
    counter('trunkline_secrets_right_total', 'Those that were right.', only(secrets.right)),
    counter(
      'trunkline_agent_port_refused_total',
      'Connections to the port for agents that were refused, by why.',
      Object.entries(agentPortRefusals).map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  ]
}

function objects({ counts }: Context): Metric {
  const samples = PROGRAM_KINDS.flatMap((kind) => {
    const { families } = counts.of(WHOLE_SITE, kind, '')
    return FAMILIES.map((state) => ({ labels: { kind, state }, value: families[state] ?? 0 }))
  })
  return gauge('trunkline_objects', 'Encoders, feeders, inputs and outputs by state.', samples)
}

function hosts({ hosts: all }: Context): Metric {
  const states = { online: 0, away: 0 }
  const seen = new Set<string>()
  for (const { address } of all.records()) {
    const at = addressText(address)
    if (seen.has(at)) continue
    seen.add(at)
    states[all.status(address)?.online === true ? 'online' : 'away'] += 1
  }
  const samples = Object.entries(states).map(([state, value]) => ({ labels: { state }, value }))
  return gauge('trunkline_hosts', 'Host agents by whether they are linked.', samples)
}

const ALARM_STATES = ['open', 'acknowledged', 'muted'] as const

function alarms({ alarms: board }: Context): Metric {
  const counted = new Map<string, number>()
  for (const alarm of board.all()) {
    const isTaken = alarm.acknowledged !== null
    const state = isTaken ? 'acknowledged' : board.isMuted(alarm) ? 'muted' : 'open'
    const key = `${alarm.severity} ${state}`
    counted.set(key, (counted.get(key) ?? 0) + 1)
  }
  const samples = SEVERITIES.flatMap((severity) =>
    ALARM_STATES.map((state) => ({
      labels: { severity, state },
      value: counted.get(`${severity} ${state}`) ?? 0,
    })),
  )
  return gauge('trunkline_alarms', 'Alarms that are not cleared, by severity.', samples)
}
