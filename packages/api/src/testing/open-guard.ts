/** For tests of what is behind the guard: hosts of tests are on this machine. */
import { dialGuard } from '../security/host-guard.ts'

export const OPEN_GUARD = dialGuard({ allowLocalHosts: true, hostPorts: null })
