/** The input that receives a feeder: a link to it, or the step that makes it (Q102). */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  addressOfFeeder,
  findInputOfFeeder,
  serverOfFeeder,
} from '@trunkline/contract/contributions/feeder-input.rules'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { Port } from '@trunkline/contract/text.schema'
import { useRole } from '../../lib/session.ts'
import { ReceivedBy } from '../../programs/status/ReceivedBy.tsx'
import { inputsAtPortQuery, serverAtQuery } from '../../shared/choices/server.queries.ts'
import { Button } from '../../ui/button/Button.tsx'
import * as text from './feeder.messages.ts'
import { feederServerQuery } from './feeder.queries.ts'
import classes from './FeederDetail.module.css'

interface MatchingInputProps {
  encoder: Encoder
  feeder: Feeder
}

/** Only for those who may add inputs. */
export function MatchingInput(props: MatchingInputProps) {
  return mayDo(useRole(), 'editInputs') ? <Offered {...props} /> : null
}

/** In the address of the form: a server that is not there, so that one is chosen (IN-FORM-23). */
const NO_SERVER = 'none'

function Offered({ encoder, feeder }: MatchingInputProps) {
  const navigate = useNavigate()
  const { server, input, isRead, isFailed } = useReceiver(feeder)
  const port = feeder.output[0]?.port ?? 0
  const create = () =>
    void navigate({
      to: '/dashboard/$serverId/$groupId/contribution/$id',
      params: { serverId: server?._id ?? NO_SERVER, groupId: encoder.groupId, id: 'new' },
      search: { encoder: encoder._id, feeder: feeder.name },
    })
  return (
    <div className={classes.matching} role="group" aria-label="Matching input">
      <Button
        size={28}
        icon="plus"
        disabledReason={isRead ? disabledReasonOf(input, port) : ''}
        onClick={create}
      >
        Create the matching input
      </Button>
      <p>
        {input !== null && <ReceivedBy input={input} />}
        {input === null && isRead && (
          <>{isFailed ? text.INPUTS_NOT_READ : text.noInput(port, server?.title ?? '')}</>
        )}
      </p>
    </div>
  )
}

function disabledReasonOf(input: Input | null, port: number): string | null {
  if (input !== null) return text.inputExists(input.title, port)
  return Port.safeParse(port).success ? null : text.portTooLow(port)
}

interface Receiver {
  /** null while it is not read, or where the feeder calls no server of ours. */
  server: Server | null
  /** null while it is not read, or where no input that this user sees listens there. */
  input: Input | null
  isRead: boolean
  isFailed: boolean
}

/** The server that a feeder calls, and the input there that receives it: one row of each is read. */
function useReceiver(feeder: Feeder): Receiver {
  const own = useQuery(feederServerQuery(feeder.serverId))
  const called = serverOfFeeder(feeder, own.data === undefined ? [] : [own.data])
  const address = addressOfFeeder(feeder)
  // Its own server before others: these are asked for only where it is not called.
  const isOther = own.isFetched && called === null && address !== ''
  const other = useQuery({ ...serverAtQuery(address), enabled: isOther })
  const server = called ?? serverOfFeeder(feeder, other.data ?? [])
  const port = feeder.output[0]?.port ?? 0
  const inputs = useQuery(inputsAtPortQuery(server?._id ?? '', port))
  return {
    server,
    input: findInputOfFeeder(feeder, inputs.data ?? []),
    isRead: server === null ? own.isFetched && (!isOther || other.isFetched) : inputs.isFetched,
    isFailed: (isOther && other.isError) || inputs.isError,
  }
}
