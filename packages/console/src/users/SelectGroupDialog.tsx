/** 'Select a group': puts an editor or a monitor into one (USER-08 to USER-11). */
import { useQuery } from '@tanstack/react-query'
import type { User } from '@trunkline/contract/users/user.schema'
import { useForm } from '../lib/form.hook.ts'
import { FormDialog } from '../shared/FormDialog.tsx'
import { groupsQuery } from '../shared/group.queries.ts'
import { ChoiceList } from '../ui/ChoiceList.tsx'
import { useAddToGroup } from './user.actions.ts'
import { ADD_TO_GROUP_FAILED, GROUP_REQUIRED, groupChangeSentence } from './user.messages.ts'
import classes from './UserForm.module.css'

interface SelectGroupDialogProps {
  user: User
  onClose: () => void
}

export function SelectGroupDialog({ user, onClose }: SelectGroupDialogProps) {
  const addToGroup = useAddToGroup()
  const { data: groups = [], isPending, isError } = useQuery(groupsQuery())
  const form = useForm({
    initial: { groupId: '' },
    version: null,
    check: ({ groupId }) => (groupId === '' ? { groupId: GROUP_REQUIRED } : {}),
    save: async ({ groupId }) => {
      const title = groups.find((group) => group._id === groupId)?.title ?? ''
      await addToGroup(user, groupId, title)
      onClose()
    },
    fallback: ADD_TO_GROUP_FAILED,
  })
  const { groupId } = form.values
  return (
    <FormDialog
      title="Select a group"
      subtitle={user.fullName}
      width={440}
      form={form}
      saveLabel="Add to group"
      onClose={onClose}
    >
      <p className={classes.lead}>{groupChangeSentence(user)}</p>
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
        emptyText={emptyText(isPending, isError)}
        onChange={([chosen = '']) => form.set({ groupId: chosen })}
      />
    </FormDialog>
  )
}

function emptyText(isPending: boolean, isError: boolean): string {
  if (isPending) return 'Reading the groups.'
  return isError
    ? 'The list of groups could not be read. Close this dialog and try again.'
    : 'There is no group yet.'
}
