/** Whether something is done to a row, alone or as one of several: its buttons wait meanwhile. */
import { type Mutation, type QueryClient, useIsMutating } from '@tanstack/react-query'
import type { ObjectWord } from './contribution.messages.ts'

export function rowKey(kind: ObjectWord, id: string) {
  return [kind, 'action', id]
}

/** Of a call for several: `meta.ids` says which. */
export function bulkKey(kind: ObjectWord) {
  return [kind, 'bulk']
}

export function useIsRowBusy(kind: ObjectWord, id: string): boolean {
  return useIsMutating({ predicate: (mutation) => isAbout(mutation, kind, id) }) > 0
}

/** The same, asked at the moment of a click. */
export function isRowBusy(client: QueryClient, kind: ObjectWord, id: string): boolean {
  return client.isMutating({ predicate: (mutation) => isAbout(mutation, kind, id) }) > 0
}

function isAbout({ options, meta }: Pick<Mutation, 'options' | 'meta'>, kind: string, id: string) {
  const [keyKind, keyAction, keyId] = options.mutationKey ?? []
  if (keyKind !== kind) return false
  if (keyAction === 'action') return keyId === id
  return keyAction === 'bulk' && meta?.ids instanceof Set && meta.ids.has(id)
}
