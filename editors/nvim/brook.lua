-- Neovim 0.11 or later: copy to ~/.config/nvim/plugin/brook.lua. Nothing else is needed but `brook` on the PATH.
vim.filetype.add({ extension = { okl = 'okl', br = 'brook', bri = 'brook' } })

vim.lsp.config('brook', {
  cmd = { 'brook', 'lsp' },
  filetypes = { 'okl', 'brook' },
  root_markers = { 'brook.toml', '.git' },
  -- The server would ask to show what it generates; :BrookShow does it in a window of its own.
  capabilities = { window = { showDocument = { support = false } } },
})
vim.lsp.enable('brook')

local languages = { cu = 'cuda', cl = 'opencl' }

-- What a backend gets, in a buffer that is no file.
local function show(uri, backend)
  local client = vim.lsp.get_clients({ name = 'brook' })[1]
  if not client then
    return vim.notify('brook: the language server does not run', vim.log.levels.ERROR)
  end
  local params = { command = 'brook.showGenerated', arguments = { uri, backend } }
  client:request('workspace/executeCommand', params, function(problem, made)
    if problem then
      return vim.notify('brook: ' .. problem.message, vim.log.levels.ERROR)
    end
    vim.cmd('vertical new')
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(made.text, '\n'))
    vim.bo.modifiable = false
    vim.bo.filetype = languages[made.name:match('%w+$')] or 'cpp'
  end)
end

-- The lenses of kernels (vim.lsp.codelens.run) come here, too.
vim.lsp.commands['brook.showGenerated'] = function(command)
  show(command.arguments[1], command.arguments[2])
end

vim.api.nvim_create_user_command('BrookShow', function(given)
  show(vim.uri_from_bufnr(0), given.args ~= '' and given.args or 'cuda')
end, {
  nargs = '?',
  complete = function()
    return { 'cuda', 'hip', 'opencl', 'openmp', 'metal', 'sycl' }
  end,
  desc = 'Show what a backend gets of this source',
})

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'okl', 'brook' },
  callback = function(event)
    vim.bo[event.buf].commentstring = '// %s'
    -- The syntax files of C++ and C; what the server knows of names and attributes comes on top.
    vim.bo[event.buf].syntax = event.match == 'okl' and 'cpp' or 'c'
  end,
})
