/** A table of who gets which status for a call: one line per person, nobody included. */
import type { FastifyInstance } from 'fastify'
import type { Route } from '@trunkline/contract/route'
import { inject, type InjectInput } from '../inject.ts'
import type { PersonName, People } from '../people.ts'

export type StatusOf = Record<PersonName | 'nobody', number>

/** `input` is asked for each person anew, so that a created object may have a name of its own. */
export async function statusByPerson<T extends Route>(
  app: FastifyInstance,
  people: People['people'],
  call: T,
  input: (person: PersonName | 'nobody') => InjectInput<T>,
): Promise<StatusOf> {
  const statuses = {} as StatusOf
  for (const name of [...(Object.keys(people) as PersonName[]), 'nobody'] as const) {
    const token = name === 'nobody' ? '' : people[name].token
    statuses[name] = (await inject(app, call, token, input(name))).status
  }
  return statuses
}

/** The usual rows: one status for each kind of person, with exceptions by name. */
export function expected(all: number, more: Partial<StatusOf> = {}): StatusOf {
  return {
    superadmin: all,
    admin: all,
    northManager: all,
    northEditor: all,
    northMonitor: all,
    southManager: all,
    southEditor: all,
    southMonitor: all,
    loneManager: all,
    nobody: 401,
    ...more,
  }
}

export const NOT_EDITORS = {
  northEditor: 403,
  northMonitor: 403,
  southEditor: 403,
  southMonitor: 403,
} as const
