# What the calls of the guides use: addresses, and the keys of the demo account that `npm start` made.
# In the folder of Florin: . examples/curl/sandbox.sh    In another folder, with a copy of examples/: FLORIN=../florin first
FLORIN=${FLORIN:-.}
export API="${API:-http://127.0.0.1:8080}" VAULT="${VAULT:-http://127.0.0.1:8081}" SHOP="${SHOP:-http://127.0.0.1:3000}"
PRIVATE_KEY=$(sed -n 's/.*"private_key": "\(.*\)".*/\1/p' "$FLORIN/data/demo-account.json")
PUBLIC_KEY=$(sed -n 's/.*"public_key": "\(.*\)".*/\1/p' "$FLORIN/data/demo-account.json")
export PRIVATE_KEY PUBLIC_KEY

# region: calls
# post PATH BODY [MORE OPTIONS OF CURL], get PATH, erase PATH: one request with the private key
post() { path=$1 body=$2; shift 2; curl -sS "$API$path" -H "x-api-key: $PRIVATE_KEY" -H 'content-type: application/json' -d "$body" "$@"; echo; }
get() { curl -sS "$API$1" -H "x-api-key: $PRIVATE_KEY"; echo; }
erase() { curl -sS -X DELETE "$API$1" -H "x-api-key: $PRIVATE_KEY" -H 'content-type: application/json' -d "${2:-{\}}"; echo; }
# card NUMBER [MORE MEMBERS]: a token for a card, with the public key, as the payer's browser gets it
card() { curl -sS "$VAULT/token" -H "x-api-key: $PUBLIC_KEY" -H 'content-type: application/json' -d '{
  "card_number": "'"$1"'", "card_validity_month": "12", "card_validity_year": "2034", "cvc": "123"'"${2:+, $2}"' }'; echo; }
# member NAME: takes a text out of an answer
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# endpoint ADDRESS: has notifications sent there, and there alone; prints their secret
endpoint() { for id in $(get /notification/endpoint | tr '{' '\n' | member _id); do erase "/notification/endpoint/$id" >/dev/null; done
  post /notification/endpoint '{ "url": "'"$1"'" }' | member secret; }
# decided ORDER_ID: reads the order until the bank has decided; told: waits until every notification was delivered
decided() { while get "/payment/order/$1" | grep -q '^{"result":{"code":"[4567]21080"'; do sleep 1; done; get "/payment/order/$1"; }
told() { until get '/notification?state=waiting&limit=1' | grep -q '"notifications":\[\]'; do sleep 1; done; }
# endregion
