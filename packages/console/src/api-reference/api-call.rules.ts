/** The API reference as rows: which calls there are, and which of them a search finds. Pure. */
import type {
  OpenApiDocument,
  OpenApiOperation,
} from '@trunkline/contract/open-api/open-api.schema'

export interface ApiCall {
  /** 'GET'. */
  method: string
  path: string
  operation: OpenApiOperation
}

/** By feature, then by path; another spelling follows the usual one. */
export function callsIn(document: OpenApiDocument): ApiCall[] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  return calls.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en'))
}

function keyOf({ method, path, operation }: ApiCall): string {
  const order = operation.deprecated === true ? 1 : 0
  return [featureOf(operation), order, path, method].join('\n')
}

export function featureOf({ tags }: OpenApiOperation): string {
  return tags[0] ?? ''
}

export function featuresOf(calls: readonly ApiCall[]): string[] {
  return [...new Set(calls.map(({ operation }) => featureOf(operation)))]
}

/** Every word of the search stands in the path, the name or the summary; '' finds all. */
export function matching(calls: readonly ApiCall[], search: string, feature: string): ApiCall[] {
  const words = search.toLowerCase().split(/\s+/)
  return calls.filter(({ method, path, operation }) => {
    const text = [method, path, operation.operationId, operation.summary].join(' ').toLowerCase()
    const isOfFeature = feature === '' || featureOf(operation) === feature
    return isOfFeature && words.every((word) => text.includes(word))
  })
}
