/** 'Select a group': puts an editor or a monitor into one (USER-08 to USER-11). */
import type { User } from '@trunkline/contract/users/user.schema'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { GROUPS } from '../../shared/choices/group.queries.ts'
import { ChoiceList } from '../../ui/choice/ChoiceList.tsx'
import { useAddToGroup } from '../user.actions.ts'
import { ADD_TO_GROUP_FAILED, GROUP_REQUIRED, groupChangeSentence } from '../user.messages.ts'
import { Lead } from '../../ui/dialog/Dialog.tsx'

interface SelectGroupDialogProps {
  user: User
  onClose: () => void
}

export function SelectGroupDialog({ user, onClose }: SelectGroupDialogProps) {
  const addToGroup = useAddToGroup()
  const form = useForm({
    initial: { groupId: '' },
    version: null,
    check: ({ groupId }) => (groupId === '' ? { groupId: GROUP_REQUIRED } : {}),
    save: async ({ groupId }) => {
      const title = groups.find((group) => group._id === groupId)?.title ?? ''
      await addToGroup(user, groupId, title)
    },
    onSaved: onClose,
    keptAs: ['user-group', user._id],
    fallback: ADD_TO_GROUP_FAILED,
  })
  const { groupId } = form.values
  const { rows: groups, more, onType, isRead, isError } = useChoices(GROUPS, groupId)
  return (
    <FormDialog
      title="Select a group"
      subtitle={user.fullName}
      width={440}
      form={form}
      saveLabel="Add to group"
      onClose={onClose}
    >
      <Lead>{groupChangeSentence(user)}</Lead>
      <ChoiceList
        label="Group and its manager"
        kind="one"
        choices={groups.map((group) => ({
          value: group._id,
          label: group.title,
          detail: group.manager?.fullName ?? 'no manager',
        }))}
        chosen={groupId === '' ? [] : [groupId]}
        error={form.errorOf('groupId')}
        emptyText={emptyText(!isRead, isError)}
        more={more}
        onType={onType}
        onChange={([chosen = '']) => form.set({ groupId: chosen })}
      />
    </FormDialog>
  )
}

function emptyText(isPending: boolean, isError: boolean): string {
  if (isError) return 'The list of groups could not be read. Close this dialog and try again.'
  return isPending ? 'Reading the groups.' : 'There is no group yet.'
}
