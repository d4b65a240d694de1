/** Who may see an object by its kind and id, as it is known in memory. */
import { isAdminLevel } from '@trunkline/contract/roles'
import type { Hosts } from '../hosts/hosts.ts'
import type { Programs } from '../programs/programs.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import type { Board } from './board.ts'
import type { ObjectKey } from './object-key.ts'
import { maySeeHost, maySeeProgram, maySeeStream } from './scope.rules.ts'

interface Known {
  hosts: Hosts
  programs: Programs
  board: Board
}

/** What is gone only admins see, and what the console watches of itself. */
export function maySeeObject(
  { hosts, programs, board }: Known,
  actor: Actor,
  { kind, id }: ObjectKey,
): boolean {
  if (isAdminLevel(actor.role)) return true
  switch (kind) {
    case 'server': {
      const record = hosts.record('server', id)
      return record !== undefined && maySeeHost(actor, record)
    }
    case 'channel': {
      const known = board.streams.ofChannel(id)
      return known !== null && maySeeStream(actor, known.channel.groupIds)
    }
    case 'encoder': {
      // One without a configuration has no program.
      const record = hosts.record('encoder', id)
      return record !== undefined && maySeeHost(actor, record)
    }
    case 'feeder':
    case 'input':
    case 'output': {
      const wanted = programs.wanted(programIdOf(kind, id))
      return wanted !== undefined && maySeeProgram(actor, wanted)
    }
    case 'console':
      return false
  }
}
