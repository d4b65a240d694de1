/** What a person may see right now of one thing that their browser shows. */
import type { LiveEvent } from '@trunkline/contract/fleet/fleet.schema'
import type { Watched } from '@trunkline/contract/fleet/watch-key.schema'
import type { Context } from '../../context.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import type { Actor } from '../../security/actor.ts'
import type { ThingEvent } from '../board.ts'
import { forRole } from '../visible.rules.ts'
import { visibleTo } from '../counts/reader.rules.ts'
import { maySeeObject } from '../object-scope.ts'
import { maySeeHost, maySeeProgram, maySeeStream } from '../scope.rules.ts'
import { transportOf } from './transport-follower.ts'

/** null for what is not there, or is other people's: nobody can tell which. */
export function seenBy(ctx: Context, actor: Actor, watched: Watched): LiveEvent | null {
  const { board, hosts, programs } = ctx
  switch (watched.of) {
    case 'program': {
      const wanted = programs.wanted(programIdOf(watched.kind, watched.id))
      if (wanted === undefined || !maySeeProgram(actor, wanted)) return null
      return { event: 'program', data: board.watched(wanted) }
    }
    case 'transport': {
      const wanted = programs.wanted(programIdOf(watched.kind, watched.id))
      if (wanted === undefined || !maySeeProgram(actor, wanted)) return null
      return { event: 'transport', data: transportOf(hosts, wanted) }
    }
    case 'host': {
      const record = hosts.record(watched.kind, watched.id)
      if (record === undefined || !maySeeHost(actor, record)) return null
      return { event: 'host', data: forRole(actor, board.host(record)) }
    }
    case 'stream': {
      const known = board.streams.known(watched)
      if (known === null || !maySeeStream(actor, known.channel.groupIds)) return null
      return { event: 'stream', data: known.status }
    }
    case 'counts':
      return { event: 'counts', data: ctx.counts.of(actor, watched.kind, watched.group) }
    case 'alarms':
      return { event: 'alarms', data: ctx.alarms.of(actor) }
    case 'air':
      return {
        event: 'air',
        data: ctx.onAir.of(visibleTo(actor), (object) => maySeeObject(ctx, actor, object)),
      }
  }
}

/** Whether this person may be sent what has happened to a thing that their browser shows. */
export function maySee(actor: Actor, event: ThingEvent): boolean {
  switch (event.event) {
    case 'program':
    case 'restart':
    case 'transport':
      return maySeeProgram(actor, event.wanted)
    case 'host':
      return maySeeHost(actor, event.record)
    case 'stream':
      return maySeeStream(actor, event.channel.groupIds)
  }
}
