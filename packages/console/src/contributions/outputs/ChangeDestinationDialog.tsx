/** Points the selected outputs at one destination (CON-OUT-18, CON-OUT-19). */
import { useForm } from '../../forms/form.hook.ts'
import { showToast } from '../../lib/toast.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { Leaving } from '../../forms/leave/Leaving.tsx'
import { ChoiceList } from '../../ui/choice/ChoiceList.tsx'
import type { useBulkResult } from '../bulk/bulk-result.hook.ts'
import * as text from '../contribution.messages.ts'
import { useChangeDestination } from '../destinations/destination.actions.ts'
import { DESTINATIONS } from '../destinations/destination.queries.ts'
import { withReadTitles } from '../bulk/link-bulk.actions.ts'
import type { BulkItem } from '../link.rules.ts'
import {
  CHANGE_DESTINATION_NOTE,
  DESTINATIONS_FAILED,
  DESTINATIONS_NONE,
  DESTINATIONS_READING,
} from './change-destination.messages.ts'

interface ChangeDestinationDialogProps {
  outputs: readonly BulkItem[]
  showOutcome: ReturnType<typeof useBulkResult>['showOutcome']
  onClose: () => void
}

interface Values {
  destinationId: string
}

export function ChangeDestinationDialog(props: ChangeDestinationDialogProps) {
  // As they were when the dialog was opened, whatever is ticked meanwhile.
  const { outputs, showOutcome, onClose } = props
  const change = useChangeDestination()
  const { rows, more, onType, known, isRead, isError } = useChoices(DESTINATIONS, '')
  const form = useForm<Values>({
    initial: { destinationId: '' },
    version: null,
    check: checkChoice,
    fallback: text.STATUS_FAILED,
    save: async ({ destinationId }) => {
      const { outcome, msg } = await change(outputs, destinationId, () => {})
      onClose()
      const title = known(destinationId)?.title ?? ''
      if (outcome.failed.length === 0) showToast('success', msg, title)
      else
        showOutcome(outcome, await withReadTitles(outputs, outcome.failed), {
          worked: msg,
          failed: text.STATUS_FAILED,
        })
    },
  })
  const { destinationId } = form.values
  return (
    <FormDialog
      title="Change destination"
      subtitle={text.countText(outputs.length, 'output')}
      width={440}
      form={form}
      saveLabel="Change destination"
      onClose={onClose}
    >
      <Leaving onLeave={() => form.leave('destinationId')}>
        <ChoiceList
          label="Destination"
          kind="one"
          choices={rows.map(({ id, title, ip }) => ({
            value: id,
            label: title,
            detail: ip,
          }))}
          more={more}
          onType={onType}
          chosen={destinationId === '' ? [] : [destinationId]}
          onChange={([id = '']) => form.set({ destinationId: id })}
          error={form.errorOf('destinationId')}
          emptyText={
            isError ? DESTINATIONS_FAILED : isRead ? DESTINATIONS_NONE : DESTINATIONS_READING
          }
        />
      </Leaving>
      <p>{CHANGE_DESTINATION_NOTE}</p>
    </FormDialog>
  )
}

function checkChoice({ destinationId }: Values): { destinationId?: string } {
  return destinationId === '' ? { destinationId: text.SELECT_DESTINATION } : {}
}
