/** The input that receives a feeder: a link to it, or the step that makes it (Q102). */
import { useNavigate } from '@tanstack/react-router'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { Port } from '@trunkline/contract/text.schema'
import { useRole } from '../../lib/session.ts'
import { ReceivedBy } from '../../programs/status/ReceivedBy.tsx'
import { Button } from '../../ui/button/Button.tsx'
import * as text from './feeder.messages.ts'
import classes from './FeederDetail.module.css'
import { useReceiver } from './receiver.hook.ts'

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
