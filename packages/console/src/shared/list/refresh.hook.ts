import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'

/** CON-IN-40. */
export const REFRESH_DELAY_MS = 1500

function keyOf(kind: string) {
  return [kind, 'refresh']
}

/**
 * CON-IN-40: what is under way is dropped, and after a moment everything is read anew.
 * `kind`: the first part of the query keys, such as 'user'.
 */
export function useRefresh(kind: string) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationKey: keyOf(kind),
    mutationFn: async () => {
      await client.cancelQueries({ queryKey: [kind] })
      await new Promise((done) => setTimeout(done, REFRESH_DELAY_MS))
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: [kind] }),
  })
  const refresh = () => {
    if (client.isMutating({ mutationKey: keyOf(kind) }) === 0) mutate()
  }
  return { isWaiting: isPending, refresh }
}

/** True while that wait lasts: loops that poll stand still. */
export function useIsRefreshing(kind: string): boolean {
  return useIsMutating({ mutationKey: keyOf(kind) }) > 0
}
