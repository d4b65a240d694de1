/** Whether a seat that connects by itself is let in at its console. */
import { request } from 'node:https'
import type { Seat } from '@trunkline/contract/agent/agent-config.schema'
import { ok, wrong, type Finding } from '@trunkline/contract/doctor/finding.rules'
import type { Identity } from '../identity/identity-file.ts'
import { connectToConsole } from '../link/console-connection.ts'
import {
  dialFault,
  dialOptions,
  placesOf,
  sentenceIn,
  type DialPlace,
} from '../link/console-dial.ts'

/** One for each address of the console; the link that there is stays. */
export async function dialFindings(
  seat: Seat,
  identity: Identity,
  dialTo: readonly string[],
): Promise<Finding[]> {
  try {
    const places = await placesOf(dialTo)
    return await Promise.all(places.map(async (place) => dialFinding(seat, identity, place)))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      wrong(
        `The seat ${seat.kind} connects to its console at ${dialTo.join(', ')}, and that name cannot be resolved (${reason}).`,
        'Check the name servers of this host, or enrol the seat again with an address that it knows',
      ),
    ]
  }
}

async function dialFinding(seat: Seat, identity: Identity, place: DialPlace): Promise<Finding> {
  const refusal = await refusalAt(identity, place)
  const at = `${place.host}:${place.port}`
  if (refusal === null) return ok(`The seat ${seat.kind} connects to its console at ${at}.`)
  return wrong(
    `The seat ${seat.kind} is not let in at ${at}: ${refusal}`,
    `Does a firewall let TCP port ${place.port} out? What the agent says: journalctl -u trunkline-agent -n 20`,
  )
}

/** null: it is let in. Asked with the identity of the seat, without taking a link. */
async function refusalAt(identity: Identity, place: DialPlace): Promise<string | null> {
  const { key, certificate: cert, authority: ca } = identity
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const { socket } = connectToConsole(dialOptions(place, { key, cert, ca }))
  const asked = request({ createConnection: () => socket, path: '/health' })
  asked.on('error', (error) => resolve(dialFault(place, error)))
  asked.on('response', (response) => {
    if (response.statusCode !== 200) return resolve(sentenceIn(response))
    response.resume()
    resolve(null)
  })
  asked.end()
  return promise
}
