/** Whether something is done to a program, alone or as one of several: its buttons wait meanwhile. */
import { type Mutation, type QueryClient, useIsMutating } from '@tanstack/react-query'
import type { ObjectKind, ProgramKind } from '@trunkline/contract/fleet/fleet.schema'

/** Destinations too: they stand in a table beside programs, and are changed as these are. */
export type BusyKind = ProgramKind | ObjectKind

export function actionKey(kind: BusyKind, id: string) {
  return [kind, 'action', id]
}

/** Of a call for several: `meta.ids` says which. */
export function bulkKey(kind: BusyKind) {
  return [kind, 'bulk']
}

export function useIsBusy(kind: BusyKind, id: string): boolean {
  return useIsMutating({ predicate: (mutation) => isAbout(mutation, kind, id) }) > 0
}

/** The same, asked at the moment of a click. */
export function isBusy(client: QueryClient, kind: BusyKind, id: string): boolean {
  return client.isMutating({ predicate: (mutation) => isAbout(mutation, kind, id) }) > 0
}

function isAbout(
  { options, meta }: Pick<Mutation, 'options' | 'meta'>,
  kind: BusyKind,
  id: string,
): boolean {
  const [first, what, itsId] = options.mutationKey ?? []
  if (first !== kind) return false
  if (what === 'action') return itsId === id
  return what === 'bulk' && meta?.ids instanceof Set && meta.ids.has(id)
}
