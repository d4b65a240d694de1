/** The agent as a whole: its supervisord found or started, its programs known, its seats open. */
import type { AgentConfig } from '@trunkline/contract/agent/agent-config.schema'
import type { Logger } from 'pino'
import { meetingPoint } from './commands/local-leg.command.ts'
import { EncoderPictures } from './content/encoder-pictures.ts'
import type { Context } from './context.ts'
import { HealthWatch } from './host/health-watch.ts'
import { lookAtHost, type Host } from './host/host.ts'
import { ownersOf, SeatIdentities } from './identity/seat-identities.ts'
import { openMetrics } from './metrics/metrics-server.ts'
import { openSeat } from './link/seat.ts'
import { LinkTests } from './link-test/link-tests.ts'
import { StreamsUnreadable } from './streams/definition/stream.store.ts'
import { StreamService } from './streams/stream.service.ts'
import { adoptPrograms } from './programs/adopt.ts'
import { watchCallers } from './programs/callers/dead-caller.ts'
import { watchRefusedCallers } from './programs/callers/refused-caller.ts'
import { watchManualChanges } from './programs/manual-change-watch.ts'
import { startHousekeeping } from './programs/housekeeping.ts'
import { ProgramBoard } from './programs/program-board.ts'
import { ProgramLogs } from './programs/program-logs.ts'
import { ProgramRecords } from './programs/program-records.ts'
import { ProgramWatch } from './programs/program-watch.ts'
import { portTaken } from './programs/start-check.ts'
import { smallPictureOf } from './programs/thumbnail.ts'
import { openLayout } from './supervisor/layout.ts'
import { claimFolder } from './supervisor/single-agent.ts'
import { Supervisor } from './supervisor/supervisor.ts'
import {
  type LinkTransport,
  TransportChecks,
  type MeasuredLink,
} from './transport/transport-checks.ts'

export interface Agent extends AsyncDisposable {
  readonly ctx: Context
}

/** Disposing closes links and seats; no program notices. */
export async function openAgent(config: AgentConfig, log: Logger): Promise<Agent> {
  const life = new AsyncDisposableStack()
  try {
    const ctx = await openContext(config, log, life)
    await adoptPrograms(ctx)
    life.use(startHousekeeping(ctx))
    life.use(watchManualChanges(ctx))
    life.use(watchCallers(ctx))
    life.use(watchRefusedCallers(ctx))
    ctx.transports.begin()
    const isChannelServer = config.seats.some((seat) => seat.kind === 'channel')
    const streams = isChannelServer ? await openStreams(ctx, life) : null
    for (const [seat, owner] of ownersOf(config.seats)) {
      life.use(await openSeat(ctx, seat, owner, streams))
    }
    if (config.metrics !== undefined) life.use(await openMetrics(ctx, config.metrics))
    const whole = life.move()
    return { ctx, [Symbol.asyncDispose]: async () => whole.disposeAsync() }
  } catch (error) {
    await life.disposeAsync()
    throw error
  }
}

/** Encoders and links of this host do not wait for streams that cannot be read. */
async function openStreams(
  ctx: Context,
  life: AsyncDisposableStack,
): Promise<StreamService | StreamsUnreadable> {
  try {
    return life.use(await StreamService.open(ctx))
  } catch (error) {
    if (!(error instanceof StreamsUnreadable)) throw error
    ctx.log.error(error.message)
    return error
  }
}

async function openContext(
  config: AgentConfig,
  log: Logger,
  life: AsyncDisposableStack,
): Promise<Context> {
  life.use(await claimFolder(openLayout(config.dataDir)))
  const [host, supervisor] = await Promise.all([
    lookAtHost(config),
    Supervisor.open(config.dataDir, log),
  ])
  life.use(supervisor)
  const board = new ProgramBoard()
  const clock = () => Date.now()
  const health = life.use(new HealthWatch(config.dataDir, log))
  const logs = life.use(new ProgramLogs(supervisor.layout, clock))
  const records = new ProgramRecords({
    layout: supervisor.layout,
    board,
    logs,
    log,
    onWrites: (isFailing) => health.noteWrites(isFailing),
  })
  const watch = new ProgramWatch({ board, logs, records, log, clock })
  watch.portTaken = (program) => portTaken(program, supervisor.layout.socket)
  health.hasLostSupervisor = () => watch.hasLostSupervisor()
  watch.onSupervisorLoss = () => health.lookAgain()
  supervisor.onSilence = (isSilent) => health.noteSupervisor(isSilent)
  life.defer(() => records.saveAll())
  const transports = life.use(
    new TransportChecks({
      log,
      clock,
      links: () => measuredLinks(board, host),
      onReports: (owner, reports) => {
        board.emit({ type: 'transports', owner, transports: reports })
        for (const report of reports) noteContent(board, watch, report)
      },
    }),
  )
  life.use(
    new EncoderPictures({
      clock,
      encoders: () =>
        board.all().filter(({ spec, state }) => spec?.kind === 'encoder' && state === 'running'),
      pictureOf: (program, newerThanMs) => smallPictureOf(supervisor.layout, program, newerThanMs),
      onContent: (program, content) => watch.noteContent(program, content),
    }),
  )
  const linkTests = life.use(new LinkTests())
  const identities = life.use(new SeatIdentities(config, log))
  return {
    config,
    log,
    clock,
    host,
    health,
    supervisor,
    board,
    watch,
    logs,
    records,
    transports,
    linkTests,
    identities,
  }
}

function noteContent(
  board: ProgramBoard,
  watch: ProgramWatch,
  { programId, report }: LinkTransport,
): void {
  const program = board.find(programId)
  if (program === null || report === null) return
  if (report.state === 'unread') watch.noteContent(program, null)
  // Null before the first look.
  else if (report.content !== null) watch.noteContent(program, report.content)
}

/** The links that run now, and where each of them meets the local bus. */
function measuredLinks(board: ProgramBoard, { localBus }: Host): MeasuredLink[] {
  return board.all().flatMap(({ id, owner, spec, state }) => {
    if (spec === null || spec.kind === 'encoder' || state !== 'running') return []
    const { ip, port } = meetingPoint(spec.local, { localBusWorks: localBus.works })
    return [{ programId: id, owner, leg: { ip, port } }]
  })
}
