-- What wrk asks: the positions of a file, one after the other.

local positions, at, threads = {}, 0, {}

function setup(thread)
   table.insert(threads, thread)
end

function init(arguments)
   failed = 0
   for moves in io.lines(arguments[1]) do
      table.insert(positions, "/api/analyze?moves=" .. moves)
   end
   at = math.floor(os.time() * 7919 % #positions)
end

function request()
   at = at % #positions + 1
   return wrk.format("GET", positions[at])
end

function response(status)
   if status ~= 200 then failed = failed + 1 end
end

function done()
   local sum = 0
   for _, thread in ipairs(threads) do sum = sum + thread:get("failed") end
   print("failed: " .. sum)
end
