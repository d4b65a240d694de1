/** Where an object belongs: on which server, to which groups, to what. As it is known in memory. */
import { isConsolePart } from '@trunkline/contract/alarms/console-parts'
import type { Hosts } from '../hosts/hosts.ts'
import type { Programs } from '../programs/programs.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import type { Board } from './board.ts'
import type { ObjectKey } from './object-key.ts'

export interface Place {
  /** Of a feeder the server that it calls; '' of an encoder, which is a host of its own. */
  serverId: string
  groupIds: readonly string[]
  /** Of a feeder its encoder, of an output its input; '' of the rest. */
  ownerId: string
}

export interface Placed {
  hosts: Pick<Hosts, 'record'>
  programs: Pick<Programs, 'wanted'>
  board: { streams: Pick<Board['streams'], 'ofChannel'> }
}

/** Null: there is no such object. */
export function placeOf({ hosts, programs, board }: Placed, { kind, id }: ObjectKey): Place | null {
  switch (kind) {
    case 'server': {
      const record = hosts.record('server', id)
      return record === undefined ? null : { serverId: id, groupIds: record.groupIds, ownerId: '' }
    }
    case 'channel': {
      const channel = board.streams.ofChannel(id)?.channel
      return channel === undefined
        ? null
        : { serverId: channel.serverId, groupIds: channel.groupIds, ownerId: '' }
    }
    case 'encoder': {
      // One without a configuration has no program.
      const record = hosts.record('encoder', id)
      return record === undefined ? null : { serverId: '', groupIds: record.groupIds, ownerId: '' }
    }
    case 'feeder':
    case 'input':
    case 'output': {
      const wanted = programs.wanted(programIdOf(kind, id))
      if (wanted === undefined) return null
      const { serverId, groupId, ownerId } = wanted
      return { serverId, groupIds: [groupId], ownerId }
    }
    case 'console':
      return isConsolePart(id) ? { serverId: '', groupIds: [], ownerId: '' } : null
  }
}
