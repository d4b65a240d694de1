/** What a page is about: asked for when its drawing begins, not when it has been drawn without it. */
import {
  useQuery,
  useQueryClient,
  type DefaultError,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'

/** As `useQuery`, whose own request leaves once the page is drawn: then it finds it under way. */
export function usePageQuery<T, D = T, K extends QueryKey = QueryKey>(
  options: UseQueryOptions<T, DefaultError, D, K> & { queryKey: K },
): UseQueryResult<D> {
  const client = useQueryClient()
  const isNew = client.getQueryState(options.queryKey) === undefined
  if (isNew && options.enabled !== false) void client.prefetchQuery(options)
  return useQuery(options)
}
