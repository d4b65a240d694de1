/** What a host says, as far as it is understood. */
import { HostMessage } from '@trunkline/contract/agent/host-link.messages'

/** null for what is no message of this version. */
export function parseMessage(text: string): HostMessage | null {
  try {
    return HostMessage.parse(JSON.parse(text))
  } catch {
    return null
  }
}
