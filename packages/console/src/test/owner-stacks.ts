/**
 * React in development takes a stack trace for each element, up to 10,000 a second, to name the
 * component that made it in a warning. No test reads that.
 */
import * as React from 'react'

const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'

/** As if that many had been taken already. Call once per worker. */
export function keepNoOwnerStacks(): void {
  const internals = Reflect.get(React, INTERNALS) as object
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.POSITIVE_INFINITY,
    set: () => {},
  })
}
