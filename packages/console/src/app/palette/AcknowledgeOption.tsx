/** The alarms of an object that nobody has acknowledged: by the dialog of the page of alarms. */
import { useQuery } from '@tanstack/react-query'
import type { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { ALARM_DIALOG } from '../../alarms/alarm-dialog.loader.ts'
import { disabledReasonOf } from '../../alarms/alarm-view.rules.ts'
import { useRole } from '../../lib/session.ts'
import type { ActionsProps } from './ActionOptions.tsx'
import { Option } from './Option.tsx'
import { acknowledgeLabel, NO_OPEN_ALARM } from './palette.messages.ts'
import { unacknowledgedQuery } from './palette.queries.ts'

interface AcknowledgeOptionProps extends ActionsProps {
  kind: ObservedKind
}

export function AcknowledgeOption(props: AcknowledgeOptionProps) {
  const { wanted, kind, object } = props
  const mayAcknowledge = disabledReasonOf({ kind, objectId: object.id }, useRole()) === null
  const isListed = wanted === 'all' || wanted === 'acknowledge'
  return mayAcknowledge && isListed ? <OpenAlarms {...props} /> : null
}

function OpenAlarms({ object, kind, lineOf, onDialog }: AcknowledgeOptionProps) {
  const { data } = useQuery(unacknowledgedQuery(kind, object.id))
  const alarms = data ?? []
  const [alarm, ...more] = alarms
  const acknowledge = () => {
    if (alarm === undefined) return
    const question =
      more.length === 0
        ? ({ does: 'acknowledge', alarm } as const)
        : ({ does: 'acknowledge several', alarms } as const)
    onDialog(ALARM_DIALOG, { question })
  }
  return (
    <Option
      {...lineOf(`acknowledge ${object.key}`)}
      icon="check"
      title={acknowledgeLabel(alarms.length)}
      detail={object.title}
      disabledReason={alarm !== undefined ? null : data === undefined ? '' : NO_OPEN_ALARM}
      onChoose={acknowledge}
    />
  )
}
