/** Opens the fleet: what the database has, the links to all hosts, the watch over streams. */
import type { Context } from '../context.ts'
import * as linkProgramService from '../links/link-program.service.ts'
import * as encoderProgramsService from '../encoders/encoder-programs.service.ts'
import * as hostIdentityService from '../hosts/certificates/host-identity.service.ts'
import { openDialIn } from '../hosts/dial-in/dial-in.service.ts'
import * as leftHostService from '../hosts/left-host.service.ts'
import { HostSharing } from '../hosts/sharing/host-sharing.ts'
import { SHARE_TIMING } from '../hosts/sharing/membership.ts'
import * as sparedProgramService from '../programs/spared-program.service.ts'
import type { ProgramFilter, SomePrograms, WantedProgram } from '../programs/wanted-program.ts'
import type { Notice } from '../notices.ts'
import * as fleetStore from './fleet.store.ts'
import { NewestReading } from './newest-reading.ts'
import { StreamWatch, WATCH_PACE, type WatchPace } from './streams/stream-watch.ts'

/** Called once, after the context stands; dispose it before the context. */
export async function openFleet(
  ctx: Context,
  pace: WatchPace = WATCH_PACE,
): Promise<AsyncDisposable> {
  const sharing = await openSharing(ctx)
  const identities = await hostIdentityService.openHostIdentities(ctx)
  const watch = new StreamWatch({ hosts: ctx.hosts, board: ctx.board, log: ctx.log, pace })
  const channels = new NewestReading(async (ids) => readChannels(ctx, ids))
  const held = { watch, channels }
  const stopHearing = ctx.notices.listen((notice) => void follow(ctx, held, notice))
  await channels.again('')
  await sparedProgramService.begin(ctx)
  const open = (sealed: string) => ctx.keys.open(sealed)
  await ctx.programs.open({
    readRecords: async (filter) => fleetStore.listHostRecords(ctx.db, open, filter),
    readAllRecords: () => fleetStore.allHostRecords(ctx.db, open),
    readPrograms: async (filter) => readPrograms(ctx, filter),
    readAllPrograms: () => readAllPrograms(ctx),
    readLeftHosts: async () => leftHostService.list(ctx),
    forgetLeftHost: async (address) => leftHostService.forget(ctx, address),
    retainedAt: async (place) => sparedProgramService.retainedAt(ctx, place),
    dropOutdated: async () => sparedProgramService.dropOutdated(ctx),
  })
  await sharing?.join()
  const dialIn = await openDialIn(ctx)
  watch.follow()
  return {
    async [Symbol.asyncDispose]() {
      await dialIn?.[Symbol.asyncDispose]()
      stopHearing()
      identities[Symbol.dispose]()
      watch.close()
      await sharing?.[Symbol.asyncDispose]()
    },
  }
}

/** null on SQLite, which has one process. */
async function openSharing(ctx: Context): Promise<HostSharing | null> {
  const { config, hosts, programs, keys, clock, log } = ctx
  if (config.databaseUrl === null) return null
  const sharing = await HostSharing.open({
    url: config.databaseUrl,
    listen: config.processAddress,
    key: keys.processKey,
    hosts,
    programs,
    clock,
    log,
    timing: SHARE_TIMING,
  })
  hosts.share(sharing)
  return sharing
}

async function* readAllPrograms(ctx: Context): AsyncGenerator<readonly WantedProgram[]> {
  yield* encoderProgramsService.allPrograms(ctx)
  yield* linkProgramService.allPrograms(ctx)
}

async function readPrograms(ctx: Context, filter: SomePrograms): Promise<WantedProgram[]> {
  const found = await Promise.all([
    encoderProgramsService.wantedPrograms(ctx, filter),
    linkProgramService.wantedPrograms(ctx, filter),
  ])
  return found.flat()
}

async function readChannels(ctx: Context, ids: 'all' | readonly string[]): Promise<void> {
  const { streams } = ctx.board
  if (ids === 'all') await streams.replaceChannels(fleetStore.allChannels(ctx.db))
  else streams.setChannels(await fleetStore.listChannels(ctx.db, ids), ids)
}

/**
 * A record changed, here or in another process: what is held of it in memory is read again, and no
 * more than that. After notices were missed everything is.
 */
async function follow(
  ctx: Context,
  { watch, channels }: { watch: StreamWatch; channels: NewestReading },
  notice: Notice,
): Promise<void> {
  try {
    switch (notice.kind) {
      case 'encoder':
        if (notice.keepsPrograms === true) return
        await ctx.programs.follow(changed({ by: 'encoder', id: notice.id }))
        return
      case 'input':
        await ctx.programs.follow(changed({ by: 'input', id: notice.id }))
        return
      case 'output':
        await ctx.programs.follow(changed({ by: 'program', kind: 'output', id: notice.id }))
        return
      case 'server':
        await ctx.programs.follow(changed({ by: 'server', id: notice.id }))
        watch.follow()
        return
      case 'channel':
        await channels.again(notice.id)
        if (notice.change === 'added' || notice.id === '') watch.askNow()
        return
      case 'user':
        // A change of who is assigned to an encoder is a change of that encoder.
        if (notice.id === '') await ctx.hosts.sync({ by: 'all' })
        return
      case 'group':
      case 'destination':
      case 'encoderTemplate':
      case 'maintenance':
      case 'alarmOverride':
      case 'notificationRule':
      case 'backup':
      case 'apiToken':
      case 'schedule':
      case 'gone':
      case 'alarms':
      case 'alarmsOver':
      case 'alarmsOverAsked':
      case 'onAir':
      case 'hostIdentity':
      case 'hostNetwork':
        return
    }
  } catch (error) {
    ctx.log.error({ err: error, kind: notice.kind }, 'a change could not be followed')
  }
}

function changed(filter: Exclude<SomePrograms, { by: 'programs' }>): ProgramFilter {
  return filter.id === '' ? { by: 'all' } : filter
}
